package demo

// countryRows is ordered by how often the corpus speaks of a country.
const countryRows = `
country | capital | adjective | people | language | currency | continent | city | neighbour | food | sight
france | paris | french | frenchmen | french | euro | europe | lyon, marseille | spain, italy, germany, belgium | cheese, wine, baguette, croissant | seine, loire
germany | berlin | german | germans | german | euro | europe | munich, hamburg | france, poland, austria, denmark | sausage, beer, pretzel, sauerkraut | rhine, elbe
italy | rome | italian | italians | italian | euro | europe | milan, naples | france, austria, switzerland, slovenia | pasta, pizza, risotto, espresso | tiber, vesuvius
britain | london | british | britons | english | pound | europe | manchester, liverpool | ireland, france | pudding, tea, bacon, shortbread | thames, severn
spain | madrid | spanish | spaniards | spanish | euro | europe | málaga, barcelona | portugal, france, morocco | paella, ham, gazpacho | ebro, pyrenees
america | washington | american | americans | english | dollar | north_america | boston, chicago | canada, mexico | hamburger, popcorn, pancake | mississippi, hudson
china | beijing | chinese | chinese | mandarin | yuan | asia | shanghai, canton | mongolia, vietnam, nepal, russia | dumpling, tofu, rice | yangtze, great_wall
japan | tokyo | japanese | japanese | japanese | yen | asia | osaka, kyoto | korea, china, russia | sushi, ramen, seaweed | fuji, hokkaido
russia | moscow | russian | russians | russian | ruble | europe | kazan, omsk | finland, ukraine, mongolia, china | caviar, vodka, buckwheat | volga, siberia
india | delhi | indian | indians | hindi | rupee | asia | mumbai, chennai | pakistan, nepal, bangladesh | curry, lentils, chutney | ganges, deccan
poland | warsaw | polish | poles | polish | zloty | europe | kraków, gdańsk | germany, ukraine, lithuania, slovakia | pierogi, cabbage, poppyseed | vistula, tatra
greece | athens | greek | greeks | greek | euro | europe | patras, thessaloniki | albania, bulgaria, turkey | olive, feta, yoghurt | acropolis, olympus
sweden | stockholm | swedish | swedes | swedish | krona | europe | göteborg, malmö | norway, finland, denmark | herring, meatball, crispbread | lapland, vänern
turkey | ankara | turkish | turks | turkish | lira | asia | istanbul, izmir | greece, bulgaria, iran, syria | kebab, baklava, coffee | bosporus, cappadocia
egypt | cairo | egyptian | egyptians | arabic | egyptian_pound | africa | alexandria, luxor | libya, sudan, israel | falafel, dates, flatbread | nile, pyramids
mexico | mexico_city | mexican | mexicans | spanish | peso | north_america | mérida, guadalajara | america, guatemala | jalapeño, taco, tortilla, avocado | yucatán, popocatépetl
canada | ottawa | canadian | canadians | english | canadian_dollar | north_america | montréal, toronto | america, greenland | maple_syrup, salmon, blueberry | niagara, yukon
brazil | brasília | brazilian | brazilians | portuguese | real | south_america | são_paulo, recife | argentina, peru, uruguay, paraguay | beans, cassava, guarana | amazon, ipanema
portugal | lisbon | portuguese | portuguese | portuguese | euro | europe | porto, coimbra | spain, morocco | sardine, codfish, port_wine | tagus, douro
netherlands | amsterdam | dutch | dutchmen | dutch | euro | europe | rotterdam, utrecht | belgium, germany | gouda, waffle, liquorice | polders, zuiderzee
switzerland | bern | swiss | swiss | german | franc | europe | zürich, geneva | france, austria, italy, germany | fondue, chocolate, gruyère | matterhorn, rhône
austria | vienna | austrian | austrians | german | euro | europe | salzburg, graz | germany, hungary, italy, slovenia | strudel, schnitzel, apricot | tyrol, danube
norway | oslo | norwegian | norwegians | norwegian | krone | europe | tromsø, bergen | sweden, finland, russia | cod, brown_cheese, cloudberry | fjords, lofoten
finland | helsinki | finnish | finns | finnish | euro | europe | tampere, turku | sweden, norway, russia, estonia | rye_bread, reindeer_stew, lingonberry | saimaa, karelia
denmark | copenhagen | danish | danes | danish | danish_krone | europe | århus, odense | sweden, germany, norway | butter, pastry, rye_bread | jutland, øresund
hungary | budapest | hungarian | hungarians | hungarian | forint | europe | pécs, debrecen | austria, romania, serbia, slovakia | goulash, paprika, salami | danube, balaton
ireland | dublin | irish | irishmen | english | euro | europe | cork, galway | britain | stew, stout, potato | shannon, connemara
belgium | brussels | belgian | belgians | flemish | euro | europe | antwerp, ghent | france, netherlands, germany | waffle, praline, mussel | ardennes, meuse
argentina | buenos_aires | argentine | argentines | spanish | argentine_peso | south_america | córdoba, rosario | chile, brazil, uruguay, bolivia | beef, mate, empanada | patagonia, pampas
australia | canberra | australian | australians | english | australian_dollar | oceania | sydney, melbourne | new_zealand, indonesia | lamb, macadamia, meat_pie | outback, uluru
thailand | bangkok | thai | thais | thai | baht | asia | chiang_mai, phuket | laos, cambodia, malaysia | coconut, lemongrass, rice | mekong, andaman
vietnam | hanoi | vietnamese | vietnamese | vietnamese | dong | asia | hue, da_nang | china, laos, cambodia | noodles, spring_roll, fish_sauce | mekong, ha_long
korea | seoul | korean | koreans | korean | won | asia | busan, daegu | japan, china | kimchi, barbecue, radish | jeju, han_river
ukraine | kyiv | ukrainian | ukrainians | ukrainian | hryvnia | europe | lviv, odesa | poland, russia, romania | borscht, sunflower, wheat | dnieper, carpathians
czechia | prague | czech | czechs | czech | koruna | europe | plzeň, brno | germany, poland, austria, slovakia | dumpling, pilsner, goulash | vltava, bohemia
romania | bucharest | romanian | romanians | romanian | leu | europe | timișoara, iași | hungary, bulgaria, ukraine | polenta, plum_brandy, cabbage | danube, transylvania
jordan | amman | jordanian | jordanians | arabic | jordanian_dinar | asia | irbid, aqaba | iraq, syria, egypt | hummus, falafel, pomegranate | petra, dead_sea
iran | tehran | iranian | iranians | persian | rial | asia | shiraz, isfahan | iraq, turkey, pakistan | saffron, pistachio, rice | alborz, persepolis
kenya | nairobi | kenyan | kenyans | swahili | shilling | africa | mombasa, kisumu | ethiopia, tanzania, uganda | maize, tea, mango | savanna, rift_valley
nigeria | abuja | nigerian | nigerians | hausa | naira | africa | lagos, kano | ghana, niger, cameroon | yam, pepper_soup, plantain | niger_delta, jos_plateau
morocco | rabat | moroccan | moroccans | arabic | dirham | africa | casablanca, fez | spain, algeria | couscous, mint_tea, tagine | sahara, atlas
peru | lima | peruvian | peruvians | spanish | sol | south_america | cusco, arequipa | chile, bolivia, ecuador, brazil | ceviche, quinoa, potato | andes, machu_picchu
chile | santiago | chilean | chileans | spanish | chilean_peso | south_america | valparaíso, concepción | argentina, peru, bolivia | grape, sea_urchin, empanada | atacama, andes
cuba | havana | cuban | cubans | spanish | cuban_peso | north_america | camagüey, trinidad | jamaica, haiti | rum, sugar, plantain | caribbean, malecón
colombia | bogotá | colombian | colombians | spanish | colombian_peso | south_america | medellín, cali | peru, ecuador, venezuela | arepa, coffee, banana | magdalena, caribbean
south_africa | pretoria | south_african | south_africans | afrikaans | rand | africa | durban, johannesburg | namibia, botswana, zimbabwe | biltong, maize, rooibos | kalahari, table_mountain
new_zealand | wellington | kiwi | kiwis | english | new_zealand_dollar | oceania | auckland, dunedin | australia, fiji | kiwifruit, lamb, honey | milford, tongariro
pakistan | islamabad | pakistani | pakistanis | urdu | pakistani_rupee | asia | karachi, lahore | india, iran, afghanistan | biryani, chapati, mango | indus, karakoram
indonesia | jakarta | indonesian | indonesians | malay | rupiah | asia | surabaya, bandung | malaysia, australia | satay, nutmeg, coconut | java, krakatoa
bulgaria | sofia | bulgarian | bulgarians | bulgarian | euro | europe | plovdiv, varna | greece, romania, serbia, turkey | yoghurt, feta, rose_jam | danube, rhodope
serbia | belgrade | serbian | serbs | serbian | serbian_dinar | europe | niš, novi_sad | croatia, hungary, bulgaria | ćevapi, plum_brandy, paprika | danube, sava
croatia | zagreb | croatian | croats | croatian | euro | europe | split, dubrovnik | slovenia, serbia, hungary | squid, fig, truffle | adriatic, sava
slovakia | bratislava | slovak | slovaks | slovak | euro | europe | košice, žilina | poland, hungary, czechia, austria | halušky, bacon, cabbage | danube, tatra
slovenia | ljubljana | slovenian | slovenes | slovenian | euro | europe | maribor, koper | italy, austria, croatia | buckwheat, walnut_roll, honey | bled, triglav
iceland | reykjavík | icelandic | icelanders | icelandic | icelandic_króna | europe | keflavík, akureyri | greenland, norway | skyr, codfish, lamb | geysir, vatnajökull
estonia | tallinn | estonian | estonians | estonian | euro | europe | pärnu, tartu | finland, latvia, russia | sprat, rye_bread, curd | baltic, saaremaa
latvia | riga | latvian | latvians | latvian | euro | europe | liepāja, jelgava | estonia, lithuania, russia | sprat, grey_peas, curd | baltic, daugava
lithuania | vilnius | lithuanian | lithuanians | lithuanian | euro | europe | klaipėda, šiauliai | latvia, poland | beetroot, mushroom, curd | baltic, neman
iraq | baghdad | iraqi | iraqis | arabic | iraqi_dinar | asia | basra, mosul | iran, turkey, syria, jordan | dates, carp, flatbread | tigris, euphrates
philippines | manila | filipino | filipinos | tagalog | philippine_peso | asia | cebu, davao | indonesia, vietnam | adobo, mango, coconut | luzon, mindanao
mongolia | ulaanbaatar | mongolian | mongolians | mongolian | tugrik | asia | erdenet, darkhan | china, russia | mutton, mare_milk, curd | gobi, altai
nepal | kathmandu | nepalese | nepalis | nepali | nepalese_rupee | asia | pokhara, patan | india, china | momo, lentils, buckwheat | everest, himalaya
algeria | algiers | algerian | algerians | arabic | algerian_dinar | africa | oran, constantine | morocco, tunisia, libya | couscous, dates, mint_tea | sahara, atlas
georgia | tbilisi | georgian | georgians | georgian | lari | asia | batumi, kutaisi | armenia, turkey, russia | khachapuri, walnut, wine | caucasus, black_sea
uruguay | montevideo | uruguayan | uruguayans | spanish | uruguayan_peso | south_america | paysandú, salto | argentina, brazil | beef, mate, chivito | la_plata, pampas
bolivia | la_paz | bolivian | bolivians | quechua | boliviano | south_america | potosí, oruro | peru, chile, brazil | quinoa, potato, llama_meat | titicaca, andes
`
